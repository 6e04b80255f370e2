/** The language client: how the server is run and what it is told. */

import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import type { Server } from "../discovery/discover";
import type { Channels } from "./channels";
import { SECTION, settings } from "./settings";

// A server that dies this often within the window is not started again by itself.
const DEATHS = 3;
const WINDOW_MS = 180_000;

/** A client for the server, not yet started. `onGivenUp` is called when the server keeps dying. */
export function createClient(server: Server, channels: Channels, onGivenUp: () => void): LanguageClient {
  const [command, ...args] = server.candidate.command;
  const env = { ...process.env, ...server.candidate.environment };
  const serverOptions = { command, args: [...args, "server"], options: { env } };
  const clientOptions: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "python" },
      { scheme: "untitled", language: "python" },
    ],
    outputChannel: channels.server,
    get traceOutputChannel() {
      return channels.trace;
    },
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: { settings: settings() },
    // Else the client shows a message of its own besides ours.
    initializationFailedHandler: () => false,
    errorHandler: patience(onGivenUp),
  };
  return new LanguageClient(SECTION, "dllint", serverOptions, clientOptions);
}

function patience(onGivenUp: () => void): ErrorHandler {
  const deaths: number[] = [];
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      const now = Date.now();
      deaths.push(now);
      if (deaths.filter((time) => now - time < WINDOW_MS).length < DEATHS) return { action: CloseAction.Restart, handled: true };
      onGivenUp();
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
}

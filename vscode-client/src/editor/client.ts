/** The language client: how the server is run and what it is told. */

import type * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  type StaticFeature,
} from "vscode-languageclient/node";
import type { Server } from "../discovery/discover";
import type { Channels } from "./channels";
import { isRefused } from "./runs";
import { SECTION, settings } from "./settings";

// A server that dies this often within the window is not started again by itself.
const DEATHS = 3;
const WINDOW_MS = 180_000;

/** A client for the server, not yet started. `onGivenUp` is called when a server that once ran keeps dying. */
export function createClient(server: Server, channels: Channels, onGivenUp: () => void): LanguageClient {
  const [command, ...args] = server.candidate.command;
  const env = { ...process.env, ...server.candidate.environment };
  const serverOptions = { command, args: [...args, "server"], options: { env } };
  const clientOptions: LanguageClientOptions = {
    // Imports of a file are looked up beside it, so that one without a place on the disk would be half understood.
    documentSelector: [{ scheme: "file", language: "python" }],
    outputChannel: channels.server,
    traceOutputChannel: channels.trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: { settings: settings() },
    // Else the client shows a message of its own besides ours.
    initializationFailedHandler: () => false,
    middleware: {
      // Also whoever asks past our own commands gets nothing run in a workspace that is not trusted.
      executeCommand: (command, args, next): unknown => (isRefused(command) ? undefined : next(command, args)),
    },
    errorHandler: patience(channels.log, () => hasRun, onGivenUp),
  };
  const client = new LanguageClient(SECTION, "dllint", serverOptions, clientOptions);
  client.registerFeature(wantsToKnow);
  let hasRun = false;
  client.onDidChangeState(({ newState }) => {
    hasRun ||= newState === State.Running;
  });
  return client;
}

// Makes the server tell what it has followed of each file (see ../followed.ts).
const wantsToKnow: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), dllintFollowed: true };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

// A server that dies before it has answered is not tried again: whoever started it learns of that from `start`.
function patience(log: vscode.LogOutputChannel, hasRun: () => boolean, onGivenUp: () => void): ErrorHandler {
  const deaths: number[] = [];
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      if (!hasRun()) return { action: CloseAction.DoNotRestart, handled: true };
      const now = Date.now();
      deaths.push(now);
      if (deaths.filter((time) => now - time < WINDOW_MS).length >= DEATHS) {
        onGivenUp();
        return { action: CloseAction.DoNotRestart, handled: true };
      }
      log.warn("The server has ended by itself; it is started again.");
      return { action: CloseAction.Restart, handled: true };
    },
  };
}

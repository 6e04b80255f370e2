/** The language client: how the server is run and what it is told. */

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
import { configuration } from "./configuration";
import { shown } from "./pages";
import { isRefused } from "./runs";
import { SECTION, settings } from "./settings";

/** The editor's name for notebooks of Jupyter. Which of their cells are told of, the server says. */
const NOTEBOOK = "jupyter-notebook";

/** Says nothing by itself: what there is to say about a server is said once, with what can be done about it. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** A client for the server, not yet started. `onEnded` is called when a server that once ran has ended by itself. */
export function createClient(server: Server, channels: Channels, onEnded: () => void): LanguageClient {
  const [command, ...args] = server.candidate.command;
  const env = { ...process.env, ...server.candidate.environment };
  const serverOptions = { command, args: [...args, "server"], options: { env } };
  const clientOptions: LanguageClientOptions = {
    // Imports of a file are looked up beside it, so that one without a place on the disk would be half understood.
    documentSelector: [
      { scheme: "file", language: "python" },
      { notebook: { notebookType: NOTEBOOK, scheme: "file" }, language: "python" },
    ],
    outputChannel: channels.server,
    traceOutputChannel: channels.trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: { settings: settings() },
    // Else the client shows a message of its own besides ours.
    initializationFailedHandler: () => false,
    middleware: {
      workspace: { configuration },
      // Also whoever asks past our own commands gets nothing run in a workspace that is not trusted.
      executeCommand: async (command, args, next): Promise<unknown> =>
        isRefused(command) ? undefined : shown(await (next(command, args) as Promise<unknown>)),
    },
    errorHandler: ending(() => hasRun, onEnded),
  };
  const client = new QuietClient(SECTION, "dllint", serverOptions, clientOptions);
  client.registerFeature(wantsToKnow);
  let hasRun = false;
  client.onDidChangeState(({ newState }) => {
    hasRun ||= newState === State.Running;
  });
  return client;
}

/** The commands of ours that the server may name in lenses. */
const COMMANDS = ["dllint.showGraph", "dllint.showSummary", "dllint.diagnoseFile"];

// Makes the server tell what it has followed of each file (see ../followed.ts), and name our commands in lenses, and answer
// with pages instead of writing them.
const wantsToKnow: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    const before = capabilities.experimental as object | undefined;
    capabilities.experimental = { ...before, dllintFollowed: true, dllintCommands: COMMANDS, dllintPages: true };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

// A server that dies before it has answered is no end: whoever started it learns of that from `start`.
function ending(hasRun: () => boolean, onEnded: () => void): ErrorHandler {
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      if (hasRun()) onEnded();
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
}

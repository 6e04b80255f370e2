/** The running server of this window: found, started, stopped, started anew. */

import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { candidates, distrustful } from "../discovery/candidates";
import { complaint, type Found } from "../discovery/complaint";
import { commandLine, discover, type Server } from "../discovery/discover";
import { probe } from "../discovery/probe";
import { FOLLOWED, type Followed } from "../followed";
import { Recovery } from "../recovery";
import { Serial } from "../serial";
import type { Channels } from "./channels";
import { createClient } from "./client";
import { complain } from "./complain";
import { isEnabled, wishes } from "./settings";
import type { Status } from "./status";
import { forbidden, surroundings } from "./surroundings";

export class Session {
  private client: LanguageClient | undefined;
  private running: Server | undefined;
  private readonly serial = new Serial(() => this.startAnew());
  private readonly recovery = new Recovery();
  private timer: NodeJS.Timeout | undefined;
  private isMissing = false;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly channels: Channels,
    private readonly status: Status,
    private readonly followed: (followed: Followed) => void = () => undefined,
  ) {}

  /** The server that runs, if any. */
  get server(): Server | undefined {
    return this.running;
  }

  /** Stop the server and start the one that is found now. Requests that come meanwhile are answered by one more start. */
  async restart(why: string): Promise<void> {
    this.recovery.reset();
    await this.begin(why);
  }

  /** The user is back, who may have installed what was missing. */
  async lookAgain(): Promise<void> {
    if (this.isMissing && this.recovery.looksAgain()) await this.begin("no server was found before");
  }

  /** Another interpreter was chosen: start anew only if that leads to another server, else tell the one that runs. */
  async interpreterChanged(): Promise<void> {
    if (this.running !== undefined) {
      const { server } = await this.find();
      if (server !== undefined && isDeepStrictEqual(server.candidate, this.running.candidate)) {
        await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: null });
        return;
      }
    }
    await this.restart("another interpreter was chosen");
  }

  private async begin(why: string): Promise<void> {
    this.channels.log.info(`Starting: ${why}.`);
    await this.serial.request();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    const client = this.client;
    this.client = undefined;
    this.running = undefined;
    if (client === undefined) return;
    try {
      await client.dispose();
    } catch (error) {
      this.channels.log.debug(`The server did not stop in order: ${String(error)}`);
    }
  }

  private async startAnew(): Promise<void> {
    await this.stop();
    if (!isEnabled()) {
      this.status.off();
      return;
    }
    this.status.starting();
    const discovery = await this.find();
    this.isMissing = discovery.server === undefined;
    if (discovery.server === undefined) {
      const trouble = complaint(discovery);
      this.status.failed(trouble.message);
      this.channels.log.error(trouble.message);
      if (this.recovery.isNews(trouble.message)) void complain(trouble);
    } else {
      await this.run(discovery.server);
    }
  }

  private async find(): Promise<Found> {
    const wished = vscode.workspace.isTrusted ? wishes() : await distrustful(wishes(), forbidden);
    const around = await surroundings(wished, this.extension, this.channels.log);
    const found = await discover(candidates(wished, around), probe);
    for (const { candidate, reason } of found.rejected) {
      this.channels.log.info(`Passed over (${candidate.source}) ${commandLine(candidate)}: ${reason}`);
    }
    return { ...found, hasBundled: around.bundledLibs !== undefined };
  }

  private async run(server: Server): Promise<void> {
    const { log } = this.channels;
    log.info(`Running (${server.candidate.source}) ${commandLine(server.candidate)} server, version ${server.version}`);
    const client = createClient(server, this.channels, () => {
      if (client !== this.client) return;
      this.running = undefined;
      this.failed("The server ended several times in a row.");
    });
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) return;
      if (newState === State.Starting) this.status.starting();
      if (newState === State.Running) this.status.ready(server, client.initializeResult?.serverInfo?.version ?? server.version);
    });
    client.onNotification(FOLLOWED, (followed: Followed) => {
      this.status.tell(followed);
      this.followed(followed);
    });
    this.client = client;
    this.running = server;
    try {
      await client.start();
      this.recovery.ran();
      log.info("Ready.");
    } catch (error) {
      this.running = undefined;
      this.failed(`The server failed to start: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private failed(what: string): void {
    const next = this.recovery.ended(what);
    if (next.kind === "again") {
      this.channels.log.warn("The server has ended by itself; it is started again.");
      void this.begin("the server has ended");
      return;
    }
    this.channels.log.error(`${what} It is started again in ${next.wait / 1000} seconds.`);
    this.status.failed(what);
    this.timer = setTimeout(() => void this.begin("some time has passed since the server failed"), next.wait);
    if (next.tell) void complain({ message: `dllint: ${what}`, remedies: ["restart", "serverLogs"], python: undefined });
  }
}

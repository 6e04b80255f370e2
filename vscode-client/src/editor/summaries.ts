/** Summaries of models beside their source: the layers as a table, made by the server. */

import type * as vscode from "vscode";
import { page, type Summary } from "../summary/page";
import { ask, fileOf, type Kind, modelOf, ModelPage, sayNone } from "./modelPages";

const SUMMARY: Kind = { command: "dllint.summary", script: "summary.js", name: "Summary" };

/** Show the summary of a model: of that which a lens names, else of one of the file in front. */
export async function showSummary(extension: vscode.Uri, address?: unknown, model?: unknown): Promise<void> {
  const uri = fileOf(address);
  if (uri === undefined) return;
  const chosen = await modelOf(SUMMARY, uri, model);
  if (chosen === undefined) return;
  const summary = await ask<Summary>(SUMMARY, uri, chosen);
  if (summary === undefined) {
    sayNone();
    return;
  }
  const shown = new ModelPage(SUMMARY, extension, uri, summary.title, (frame) => page(summary, frame), {
    saved: async () => {
      const next = await ask<Summary>(SUMMARY, uri, summary.model);
      if (next !== undefined) await shown.tell({ table: next.table });
    },
  });
}

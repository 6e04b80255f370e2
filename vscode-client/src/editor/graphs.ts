/** Graphs of models beside their source, drawn by the server. */

import type * as vscode from "vscode";
import { Folding } from "../graph/folding";
import { type Drawn, page } from "../graph/page";
import type { Redrawn } from "../graph/redrawn";
import { ask, fileOf, type Kind, modelOf, ModelPage, sayNone } from "./modelPages";

const GRAPH: Kind = { command: "dllint.graph", script: "graph.js", name: "Graph" };

/** Show the graph of a model: of that which a lens names, else of one of the file in front. */
export async function showGraph(extension: vscode.Uri, address?: unknown, model?: unknown): Promise<void> {
  const uri = fileOf(address);
  if (uri === undefined) return;
  const folding = new Folding();
  const draw = (asked: unknown): Promise<Drawn | undefined> => ask<Drawn>(GRAPH, uri, asked, folding.opened, folding.closed);
  const chosen = await modelOf(GRAPH, uri, model);
  if (chosen === undefined) return;
  const drawn = await draw(chosen);
  if (drawn === undefined) {
    sayNone();
    return;
  }
  const redraw = async (focus?: string): Promise<void> => {
    const next = await draw(drawn.model);
    const message: Redrawn | undefined = next && { svg: next.svg, focus };
    if (message !== undefined) await shown.tell(message);
  };
  const shown = new ModelPage(GRAPH, extension, uri, drawn.title, (frame) => page(drawn, frame), {
    saved: () => redraw(),
    wished: (wish) => {
      if (wish.kind !== "fold") return undefined;
      folding.set(wish.key, wish.isOpen);
      return redraw(wish.key);
    },
  });
}

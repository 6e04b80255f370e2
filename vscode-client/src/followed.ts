/** What the findings in a file rest on, as the server tells it. */

/** The notification of the server. */
export const FOLLOWED = "$/dllint/followed";

/** Its parameters: a sentence, and the share of operations whose shapes are known (`null`: there is no tensor code). */
export interface Followed {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  readonly share: number | null;
}

/** The share in a few words; never 100 % as long as anything is not known. */
export function label(followed: Followed): string {
  return followed.share === null ? "no tensor code" : `${Math.floor(100 * followed.share)} % of shapes known`;
}

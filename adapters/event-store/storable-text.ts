/**
 * What Postgres can't keep in text: NUL, and single halves of surrogate pairs. JSON.stringify writes both as escapes in lower
 * case, and no other escapes look like them. An even number of backslashes before one means that it is plain text.
 */
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** Whether every string in a JSON text from JSON.stringify can be stored. */
export function isStorable(json: string): boolean {
  return !json.includes('\\u') || !unstorableEscape.test(json)
}

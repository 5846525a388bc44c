const [quote, backslash] = ['"', 0x5c]

/** Where the string of a JSON text that opens at `start` closes; the end of the text where it does not. */
export function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return text.length
}

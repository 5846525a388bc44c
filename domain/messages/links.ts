/** How many links of a message get a preview. */
export const previewed_links_max = 5

const code = /```[\s\S]*?```|`[^`\n]+`/g
const link = /<?https?:\/\/[^\s<>"]+>?/gi
/** What ends a sentence rather than an address. */
const endings = '.,;:!?\'")]}'

/**
 * The addresses in a text that may get a preview, each once, at most five (rules/messages#link-previews): those in code, and those in
 * angle brackets, get none.
 */
export function linksIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [given] of text.replace(code, ' ').matchAll(link)) {
    if (given.startsWith('<') && given.endsWith('>')) continue
    found.add(bareLink(given))
    if (found.size === previewed_links_max) break
  }
  return [...found]
}

/** Every address in a text, each once, also those that get no preview; none in code. */
export function everyLinkIn(text: string): readonly string[] {
  return [...new Set([...text.replace(code, ' ').matchAll(link)].map(([given]) => bareLink(given)))]
}

function bareLink(given: string): string {
  return withoutEnding(given.replace(/^<|>$/g, ''))
}

/** A closing bracket stays if the address opens it, as in those of encyclopaedias. */
function withoutEnding(url: string): string {
  let end = url.length
  while (end > 0 && endings.includes(url.charAt(end - 1))) end -= 1
  const bare = url.slice(0, end)
  return bare.includes('(') && url.charAt(end) === ')' ? `${bare})` : bare
}

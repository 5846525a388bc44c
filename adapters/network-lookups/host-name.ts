/** RFC 1035, 2.3.4. */
const hostName_characters_max = 253

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const hostName = new RegExp(`^${label}(?:\\.${label})*$`)

/**
 * The host name in the answer of a name server, in lower case, without the dot at its end. Undefined for anything that is not a
 * host name: whoever holds an address chooses this text, and it is shown to administrators.
 */
export function parseHostName(text: string): string | undefined {
  if (text.length > hostName_characters_max + 1) return undefined
  const name = text.replace(/\.$/, '').toLowerCase()
  return name.length <= hostName_characters_max && hostName.test(name) ? name : undefined
}

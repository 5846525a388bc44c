import { closingQuote } from './json-text.ts'

/** An open object or list: its name in its parent, and how many members came before it. */
interface Part {
  readonly name: string
  readonly began_members: number
  /** The name or index of the member that is being read; undefined before its name. */
  member: string | number | undefined
}

const path_characters_max = 200

/**
 * The path of the part with most of the members of a JSON text up to `end`: the innermost object or list that holds more than
 * half of them; `body` for the whole text. Reads each character once. Throws SyntaxError for a name that is not a JSON string.
 */
export function largestPart(text: string, end: number): string {
  const open: Part[] = []
  let members = 0
  for (let at = 0; at < end; at += 1) {
    const part = open.at(-1)
    switch (text[at]) {
      case '"': {
        const close = closingQuote(text, at)
        if (part && part.member === undefined) part.member = String(JSON.parse(text.slice(at, close + 1)))
        at = close
        break
      }
      case '{':
      case '[':
        members += 1
        open.push({
          name: String(part?.member ?? ''),
          began_members: members,
          member: text[at] === '[' ? 0 : undefined,
        })
        break
      case '}':
      case ']':
        open.pop()
        break
      case ',':
        members += 1
        if (part) part.member = typeof part.member === 'number' ? part.member + 1 : undefined
        break
      default:
    }
  }
  return pathOf(open, members)
}

function pathOf(open: readonly Part[], members: number): string {
  const depth = open.findLastIndex(({ began_members }) => members - began_members > members / 2)
  const path = open
    .slice(1, depth + 1)
    .map(({ name }) => name)
    .join('.')
  return path === '' || path.length > path_characters_max ? 'body' : path
}

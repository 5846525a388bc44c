import { LRUCache } from 'lru-cache'
import { wholeObject, type JoinedObject } from '../../application/wire-objects/joined-object.js'

/** The text of all first parts of one variant that are kept. */
const characters_max = 16 * 1024 * 1024
/** A longer one would drive out many others. */
const partCharacters_max = 256 * 1024

/** A reply whose first part many callers get. From the second time on, its text is taken from memory. */
export class JoinedReply<Whole extends object> {
  readonly #parts: JoinedObject<object, object>

  constructor(parts: JoinedObject<object, object>) {
    this.#parts = parts
  }

  whole(): Whole {
    return wholeObject(this.#parts) as Whole
  }

  /** The whole as JSON. */
  text(): string {
    const { own } = this.#parts
    return `${sharedText(this.#parts).slice(0, -1)},${JSON.stringify(own).slice(1)}`
  }
}

/** A reply of both parts. */
export function joinedReply<Shared extends object, Own extends object>(
  parts: JoinedObject<Shared, Own>,
): JoinedReply<Shared & Own> {
  return new JoinedReply(parts)
}

const variants = new Map<string, { readonly seen: WeakSet<object>; readonly texts: LRUCache<object, string> }>()

/**
 * The text of the first part. It is kept once its source comes a second time: where nothing is at hand, as in the processes of several
 * roles, each request has a source of its own.
 */
function sharedText({ source, variant, shared }: JoinedObject<object, object>): string {
  const { seen, texts } = variants.get(variant) ?? newVariant(variant)
  const known = texts.get(source)
  if (known !== undefined) return known
  const text = JSON.stringify(shared())
  if (seen.has(source)) texts.set(source, text)
  else seen.add(source)
  return text
}

function newVariant(variant: string) {
  const texts = new LRUCache<object, string>({
    maxSize: characters_max,
    maxEntrySize: partCharacters_max,
    sizeCalculation: (text) => text.length,
  })
  const made = { seen: new WeakSet<object>(), texts }
  variants.set(variant, made)
  return made
}

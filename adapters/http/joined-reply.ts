import { LRUCache } from 'lru-cache'
import { wholeObject, type JoinedObject } from '../../application/wire-objects/joined-object.js'

/** The texts that are kept of one variant, in characters. */
const characters_max = 16 * 1024 * 1024
/** A longer one would drive out many others. */
const textCharacters_max = 256 * 1024

/**
 * A reply whose first part many callers get. From the second time on, its text is taken from memory, and so is the whole one while the
 * second part is the same as well.
 */
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
    const { source, variant, shared, own, ownState } = this.#parts
    const texts = variants.get(variant) ?? newVariant(variant)
    const known = texts.get(source)
    if (known?.ownState === ownState) return known.whole
    const first = known ? known.whole.slice(0, known.first_characters) : JSON.stringify(shared()).slice(0, -1)
    const whole = `${first},${JSON.stringify(own()).slice(1)}`
    texts.keep(source, { whole, first_characters: first.length, ownState })
    return whole
  }
}

/** A reply of both parts. */
export function joinedReply<Shared extends object, Own extends object>(
  parts: JoinedObject<Shared, Own>,
): JoinedReply<Shared & Own> {
  return new JoinedReply(parts)
}

/** What is kept of one source. */
interface Texts {
  readonly whole: string
  /** How long the first part is in it, without its closing brace. */
  readonly first_characters: number
  readonly ownState: string
}

const variants = new Map<string, KeptTexts>()

function newVariant(variant: string): KeptTexts {
  const made = new KeptTexts()
  variants.set(variant, made)
  return made
}

/**
 * Texts by their sources. They are kept once a source comes a second time: where nothing is at hand, as in the processes of several
 * roles, each request has a source of its own.
 */
class KeptTexts {
  readonly #seen = new WeakSet<object>()
  readonly #texts = new LRUCache<object, Texts>({
    maxSize: characters_max,
    maxEntrySize: textCharacters_max,
    sizeCalculation: ({ whole }) => whole.length,
  })

  get(source: object): Texts | undefined {
    return this.#texts.get(source)
  }

  keep(source: object, texts: Texts): void {
    if (this.#seen.has(source)) this.#texts.set(source, texts)
    else this.#seen.add(source)
  }
}

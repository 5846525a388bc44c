import type { FoundValue } from '../../adapters/erasure-notes/find-values.ts'
import { usernameKind } from '../../application/identity/erasure/personal-values.ts'

/** Where a value was found: never the value. */
export interface FindingPlace {
  /** What was looked through. */
  readonly area: 'events' | 'tables' | 'files' | 'mails' | 'logs'
  /** The table that a partition is a part of, as `schema.table`; left out for anything but a table. */
  readonly table?: string
  /** The table as `schema.table`; the stream, file or mail otherwise. It does not hold the value. */
  readonly container: string
  /** Where in it: the key of the row and the column, the revision. */
  readonly detail: string
}

/** A place in which a value is left that should be gone. */
export interface Finding {
  readonly kind: string
  readonly encoding: string
  readonly where: string
}

/** How often values stand where a rule keeps them. */
export interface Kept {
  readonly kind: string
  readonly rule: string
  readonly places: number
}

export interface FindingsSoFar {
  readonly found: { readonly places: number; readonly first: readonly Finding[] }
  readonly keptByRule: readonly Kept[]
  readonly alsoOfOthers: readonly Kept[]
}

export interface Findings {
  /** Takes a value that was found, and judges by the place and by whose it is. */
  add(found: FoundValue, place: FindingPlace): void
  /** Takes a part of an event that is sealed with a key of the account, and can still be read. */
  addReadable(kind: string, place: FindingPlace): void
  /** Takes an image of the account. */
  addImage(place: FindingPlace): void
  /** From now on the value counts as somebody else's too: wherever it stands, it may stand for them. */
  noteOfOthers(found: FoundValue): void
  soFar(): FindingsSoFar
}

/** How many places a certificate lists. It counts all of them. */
const listed_max = 200

const ofOthers = 'the same text is personal data of another account, which is not erased'

/** A place that may hold a value of an erased account, and the rule that says so. */
interface Rule {
  readonly rule: string
  readonly allows: (kind: string, place: FindingPlace) => boolean
}

const rules: readonly Rule[] = [
  {
    rule: 'rules/users#erasure: usernames were public, and stay in history and in its index',
    allows: (kind, { area, table }) =>
      kind === usernameKind && (area === 'events' || table?.startsWith('history.') === true),
  },
  {
    rule: 'rules/messages#erased-authors: messages to others stay as they were written',
    allows: (_kind, { table }) => table === 'messages.messages',
  },
]

/** Collects what is found, in three heaps: what is left, what rules keep, and what is somebody else's as well. */
export function openFindings(): Findings {
  const first: Finding[] = []
  let places = 0
  const kept = new Map<string, Kept>()
  const others = new Map<string, Kept>()
  const sharedIndexes = new Set<number>()

  function left(kind: string, encoding: string, { area, container, detail }: FindingPlace): void {
    places += 1
    if (first.length < listed_max) first.push({ kind, encoding, where: `${area}: ${container} ${detail}`.trimEnd() })
  }

  return {
    add({ index, kind, encoding }, place) {
      const rule = rules.find(({ allows }) => allows(kind, place))
      if (rule) count(kept, kind, rule.rule)
      else if (sharedIndexes.has(index)) count(others, kind, ofOthers)
      else left(kind, encoding, place)
    },
    addReadable: (kind, place) => left(kind, 'sealed, with a key that still opens it', place),
    addImage: (place) => left('image', 'its bytes', place),
    noteOfOthers: ({ index }) => void sharedIndexes.add(index),
    soFar: () => ({
      found: { places, first: [...first] },
      keptByRule: [...kept.values()],
      alsoOfOthers: [...others.values()],
    }),
  }
}

function count(heap: Map<string, Kept>, kind: string, rule: string): void {
  const key = `${kind} ${rule}`
  heap.set(key, { kind, rule, places: (heap.get(key)?.places ?? 0) + 1 })
}

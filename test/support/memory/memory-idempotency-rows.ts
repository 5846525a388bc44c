import {
  rowLife_hours,
  type IdempotencyRow,
  type IdempotencyRows,
  type Turn,
} from '../../../adapters/http/idempotency/idempotency-rows.ts'

export const memoryRows_max = 10_000

interface Kept {
  readonly row: IdempotencyRow
  readonly since_ms: number
  readonly turn: number
  readonly isHeld: boolean
}

const life_ms = rowLife_hours * 3_600_000
const keyOf = (id: Uint8Array): string => Buffer.from(id).toString('base64')

/** Rows in the memory of this process, for tests: at most `memoryRows_max`, after which the oldest is dropped. */
export function memoryIdempotencyRows(now: () => number = Date.now): IdempotencyRows {
  const rows = new Map<string, Kept>()
  let turns = 0
  const heldBy = ({ id, number }: Turn): Kept | undefined => {
    const kept = rows.get(keyOf(id))
    return kept?.isHeld && kept.turn.toString() === number ? kept : undefined
  }
  const keep = (kept: Kept): void => void rows.set(keyOf(kept.row.id), kept)
  return {
    claim: async (row) => {
      const found = rows.get(keyOf(row.id))
      const known = found && found.since_ms + life_ms > now() ? found : undefined
      const isOpen = known?.row.sealedAnswer === null && !known.isHeld
      const isSame = known && Buffer.compare(known.row.fingerprint, row.fingerprint) === 0
      if (known && !(isOpen && isSame)) return { outcome: 'kept', row: known.row }
      const oldest = rows.keys().next()
      if (!known && rows.size >= memoryRows_max && !oldest.done) rows.delete(oldest.value)
      const next = { turn: (turns += 1), isHeld: true }
      keep(known ? { ...known, ...next } : { row: { ...row, sealedAnswer: null }, since_ms: now(), ...next })
      return { outcome: 'taken', turn: { id: row.id, number: next.turn.toString() }, earlier: known?.row }
    },
    answer: async (turn, sealedAnswer) => {
      const kept = heldBy(turn)
      if (kept) keep({ ...kept, row: { ...kept.row, sealedAnswer }, isHeld: false })
      return kept !== undefined
    },
    remove: async (turn) => void (heldBy(turn) && rows.delete(keyOf(turn.id))),
    release: async (turn) => {
      const kept = heldBy(turn)
      if (kept) keep({ ...kept, isHeld: false })
    },
    find: async (id) => rows.get(keyOf(id))?.row,
  }
}

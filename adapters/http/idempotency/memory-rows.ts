import { msOf } from '../../../domain/kernel/timestamp.js'
import { rowLife_hours, type IdempotencyRow, type IdempotencyRows } from './idempotency-rows.js'

export const memoryRows_max = 10_000

const life_ms = rowLife_hours * 3_600_000
const keyOf = (id: Uint8Array): string => Buffer.from(id).toString('base64')

/** Rows in the memory of this process: for tests, and at most `memoryRows_max`, after which the oldest is forgotten. */
export function memoryIdempotencyRows(now: () => number = Date.now): IdempotencyRows {
  const rows = new Map<string, IdempotencyRow>()
  const locked = new Set<string>()
  const isOver = (row: IdempotencyRow): boolean => msOf(row.startedAt) + life_ms <= now()
  return {
    lock: async (id) => {
      const key = keyOf(id)
      if (locked.has(key)) return undefined
      locked.add(key)
      return async () => void locked.delete(key)
    },
    claim: async (row) => {
      const key = keyOf(row.id)
      const known = rows.get(key)
      if (known && !isOver(known)) return known
      const oldest = rows.keys().next()
      if (rows.size >= memoryRows_max && !oldest.done) rows.delete(oldest.value)
      rows.set(key, row)
      return undefined
    },
    answer: async (id, sealedAnswer) => {
      const row = rows.get(keyOf(id))
      if (row) rows.set(keyOf(id), { ...row, sealedAnswer })
    },
    remove: async (id) => void rows.delete(keyOf(id)),
  }
}

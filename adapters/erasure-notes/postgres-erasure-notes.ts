import { z } from 'zod'
import type { ErasureNotes } from '../../application/ports/erasure-notes.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sealedBox } from '../../application/secrets/sealed-box.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { noteValues, notedValues, type NotedValues } from './noted-values.ts'

export interface PostgresErasureNotes extends ErasureNotes {
  /** The note of an account with its time; undefined if there is none. */
  find(account: AccountId): Promise<{ readonly noted: NotedValues; readonly notedAt: string } | undefined>
  remove(account: AccountId): Promise<void>
}

/** How long a note is kept: longer than somebody who asked for an erasure waits for its proof. */
const erasureNote_days = 90
const nothing = z.object({})
const noteRow = z.object({ sealed: z.instanceof(Uint8Array), notedAt: z.string() })
const purpose = 'erasure notes'
const contextOf = (account: AccountId): readonly string[] => [purpose, account]

/** The notes of erased accounts. They are hashes, and sealed besides: without PERSONAL_DATA_KEY nobody can try a guess. */
export function postgresErasureNotes(database: Queries, personalDataKey: Uint8Array): PostgresErasureNotes {
  const box = sealedBox(personalDataKey, purpose)
  return {
    async has(account) {
      const row = await database.maybeOne(sql.type(nothing)`
        select from erasure_notes.notes where account_id = ${account}`)
      return row !== undefined
    },
    async add(account, values) {
      const sealed = box.seal(contextOf(account), JSON.stringify(noteValues(values)))
      await database.any(sql.type(nothing)`
        insert into erasure_notes.notes (account_id, sealed) values (${account}, ${sql.binary(sealed)})
        on conflict do nothing`)
    },
    async find(account) {
      const row = await database.maybeOne(sql.type(noteRow)`
        select sealed, noted_at as "notedAt" from erasure_notes.notes where account_id = ${account}`)
      return (
        row && { noted: notedValues.parse(JSON.parse(box.open(contextOf(account), row.sealed))), notedAt: row.notedAt }
      )
    },
    async remove(account) {
      await database.any(sql.type(nothing)`delete from erasure_notes.notes where account_id = ${account}`)
    },
    async sweep() {
      await database.any(sql.type(nothing)`
        delete from erasure_notes.notes where noted_at < now() - make_interval(days => ${erasureNote_days})`)
    },
  }
}

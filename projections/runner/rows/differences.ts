import type { ClientBase } from 'pg'
import { z } from 'zod'
import type { Projection } from '../projection.ts'
import { differences_max } from './compare.ts'
import { quoted } from './table-columns.ts'

/** A row as the texts of its columns: numbers keep every digit. */
export type RowTexts = Readonly<Record<string, string | null>>

/** A row that differs between the live and the rebuilt table. */
export interface KeyedDifference {
  readonly key: RowTexts
  /** Undefined if there is no live row with the key. */
  readonly live: RowTexts | undefined
  /** Undefined if history gives no row with the key. */
  readonly rebuilt: RowTexts | undefined
  /** The columns that differ. All columns except the key if one side has no row. */
  readonly columns: readonly string[]
}

export interface TableDifferences {
  readonly table: string
  /** The first `differences_max`, by key. */
  readonly rows: readonly KeyedDifference[]
  readonly count: number
}

const texts = z.record(z.string(), z.string().nullable()).nullable()
const differenceRow = z.object({ live: texts, rebuilt: texts, count: z.coerce.number() })

/** The rows that differ between the tables of two schemas, table by table. Equal tables are left out. */
export async function differencesByKey(
  client: ClientBase,
  { keys }: Pick<Projection, 'keys'>,
  liveSchema: string,
  rebuiltSchema: string,
): Promise<readonly TableDifferences[]> {
  const found: TableDifferences[] = []
  for (const [table, key] of Object.entries(keys)) {
    const { rows } = await client.query(
      statement(key, `${quoted(liveSchema)}.${quoted(table)}`, `${quoted(rebuiltSchema)}.${quoted(table)}`),
    )
    const differing = z.array(differenceRow).parse(rows)
    const count = differing[0]?.count ?? 0
    if (count > 0)
      found.push({ table, count, rows: differing.map(({ live, rebuilt }) => difference(key, live, rebuilt)) })
  }
  return found
}

/** Compares as jsonb, because two tables have two row types and json columns have no equality. */
function statement(key: readonly string[], live: string, rebuilt: string): string {
  const sameKey = key.map((column) => `l.${quoted(column)} = r.${quoted(column)}`).join(' and ')
  const order = key.map((column) => `coalesce(l.${quoted(column)}, r.${quoted(column)})`).join()
  return `
    select ${textsOf('live')} as live, ${textsOf('rebuilt')} as rebuilt, count
    from (
      select to_jsonb(l) as live, to_jsonb(r) as rebuilt, count(*) over () as count
      from ${live} l full join ${rebuilt} r on ${sameKey}
      where to_jsonb(l) is distinct from to_jsonb(r)
      order by ${order} limit ${differences_max}
    ) differing`
}

const textsOf = (row: string): string => `(select jsonb_object_agg(key, value) from jsonb_each_text(${row}))`

function difference(key: readonly string[], live: RowTexts | null, rebuilt: RowTexts | null): KeyedDifference {
  const row = { ...rebuilt, ...live }
  const names = Object.keys(row).filter((name) => !key.includes(name))
  return {
    key: Object.fromEntries(key.map((column) => [column, row[column] ?? null])),
    live: live ?? undefined,
    rebuilt: rebuilt ?? undefined,
    columns: live && rebuilt ? names.filter((name) => live[name] !== rebuilt[name]) : names,
  }
}

import type { Pool } from 'pg'

/** The schemas whose tables migrations create: not those of Postgres and of the queue, and not those of read models. */
const migratedSchemas = `
  select nspname from pg_namespace
  where nspname !~ '^pg_' and nspname not in ('information_schema', 'public', 'job_queue')
    and not exists (select from read_models.checkpoints c where c.schema = nspname)`

/** The monthly partitions of the table of messages are created by whoever writes into them. */
const madeByMigrations = `n.nspname in (${migratedSchemas}) and not c.relispartition
  and not exists (select from pg_index i join pg_class t on t.oid = i.indrelid where i.indexrelid = c.oid and t.relispartition)`

const statements = {
  relations: `select n.nspname || '.' || c.relname as name, c.relkind as kind, c.relpersistence as persistence,
      array(select unnest(c.reloptions) order by 1) as options, pg_get_partkeydef(c.oid) as parts
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${madeByMigrations} order by 1`,
  columns: `select n.nspname || '.' || c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as "isNotNull", a.attidentity as identity, pg_get_expr(d.adbin, d.adrelid) as "default",
      case when a.attcollation > 0 then a.attcollation::regcollation::text end as collation
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${madeByMigrations} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped order by 1`,
  constraints: `select n.nspname || '.' || c.relname || '.' || k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${madeByMigrations} order by 1, 2`,
  indexes: `select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${madeByMigrations} and c.relkind in ('i', 'I') order by 1`,
  functions: `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in (${migratedSchemas}) order by 1`,
}

/**
 * Everything that migrations create in a database, by its kind. The order of columns is left out, because a column may be added
 * later.
 */
export async function shapeOf(pool: Pool): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const found = await Promise.all(
    Object.entries(statements).map(async ([kind, statement]) => [kind, (await pool.query(statement)).rows] as const),
  )
  return Object.fromEntries(found)
}

/** The columns of a table, as they are now. */
export interface TableColumns {
  readonly table: string
  readonly columns: readonly string[]
}

export async function tablesOf(pool: Pool): Promise<readonly TableColumns[]> {
  const { rows } = await pool.query(
    `select c.oid::regclass::text as table, array_agg(quote_ident(a.attname) order by a.attname)::text[] as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where ${madeByMigrations} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped group by 1 order by 1`,
  )
  return rows as readonly TableColumns[]
}

/** The rows of tables in those columns, in one order. */
export async function rowsIn(
  pool: Pool,
  tables: readonly TableColumns[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: [string, readonly string[]][] = []
  for (const { table, columns } of tables) {
    const { rows } = await pool.query(`select row(${columns.join()})::text as text from ${table} order by 1`)
    found.push([table, rows.map(({ text }: { readonly text: string }) => text)])
  }
  return Object.fromEntries(found)
}

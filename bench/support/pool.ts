import pg from 'pg'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'

/** A plain pool. Errors of its idle connections do not matter. */
export function openPool(connection: PostgresConnection, connections_max: number): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: connections_max })
  pool.on('error', (error) => {
    if (!pool.ending) console.error(error)
  })
  return pool
}

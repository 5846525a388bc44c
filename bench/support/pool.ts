import pg from 'pg'
import type { PostgresConnection } from '../../adapters/postgres/database.js'

/** A plain pool. What becomes of its idle connections matters only while it is in use. */
export function openPool(connection: PostgresConnection, connections_max: number): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: connections_max })
  pool.on('error', (error) => {
    if (!pool.ending) console.error(error)
  })
  return pool
}

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../../adapters/postgres/database.js'

export interface TestDatabase {
  readonly connection: PostgresConnection
  readonly database: PostgresDatabase
  close(): Promise<void>
}

/** A fresh, empty database on the server that the global setup started; dropped when closed. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = testServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(server, `create database ${name}`)
  const connection = { ...server, database: name }
  const database = openDatabase(connection)
  return {
    connection,
    database,
    close: async () => {
      await database.close()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

function testServer(): PostgresConnection {
  const given = process.env['GUILDHALL_TEST_POSTGRES']
  if (given === undefined)
    throw new Error('The global setup of vitest starts the Postgres of the tests: run them with vitest')
  return JSON.parse(given) as PostgresConnection
}

async function onServer(server: PostgresConnection, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

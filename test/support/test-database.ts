import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../../adapters/postgres/database.ts'
import { openNotifier } from '../../adapters/postgres/notifier.ts'
import type { Notifier } from '../../application/ports/notifier.ts'

export interface TestDatabase {
  readonly connection: PostgresConnection
  readonly database: PostgresDatabase
  /** As of one process. */
  readonly notifier: Notifier
  close(): Promise<void>
}

/** How to reach the Postgres of the tests. */
export type TestServer = PostgresConnection

/** Names the URL at which the global setup tells where the run's Postgres is. The first request starts it. */
export const testServerVariable = 'GUILDHALL_TEST_SERVER'
/** Where the global setup says which folder `layPostgres` copies. */
export const laidProductPath = '/laid-product'
/** Where it says which folder the tests of the embedded Postgres copy. */
export const laidEmptyPath = '/laid-empty'
/** The database that the global setup has migrated: it has all tables except those of read models. */
export const migratedTemplate = 'migrated'
/** The database in which the global setup has made every table of the product. */
export const laidTemplate = 'laid'

/** Databases that are open in this worker. */
export const openDatabases = new Set<string>()

/** A fresh, empty database; dropped when closed. */
export function testDatabase(): Promise<TestDatabase> {
  return databaseFrom('template1')
}

/** A fresh database with the tables beside history, and no read models; dropped when closed. */
export function migratedDatabase(): Promise<TestDatabase> {
  return databaseFrom(migratedTemplate)
}

/** A fresh database with all tables of the product, and nothing in them; dropped when closed. */
export function laidDatabase(): Promise<TestDatabase> {
  return databaseFrom(laidTemplate)
}

async function databaseFrom(template: string): Promise<TestDatabase> {
  const server = await testServer()
  const { pool } = (operator ??= openDatabase(server, { connections_max: 2 }))
  const name = `test_${randomBytes(8).toString('hex')}`
  // Copying through the log, which is the default, takes Postgres three times the processor's time.
  await pool.query(`create database ${name} template ${template} strategy file_copy`)
  openDatabases.add(name)
  const connection = { ...server, database: name }
  const database = openDatabase(connection)
  const notifier = openNotifier({ connection, onError: () => undefined })
  return {
    connection,
    database,
    notifier,
    close: async () => {
      await notifier.close()
      await database.close()
      await pool.query(`drop database ${name} with (force)`)
      openDatabases.delete(name)
    },
  }
}

/** Makes and drops the databases of this worker. A connection for each of both took a third of what they cost. */
let operator: PostgresDatabase | undefined
let server: Promise<TestServer> | undefined

function testServer(): Promise<TestServer> {
  return (server ??= askForServer())
}

async function askForServer(): Promise<TestServer> {
  return (await askGlobalSetup('/')) as TestServer
}

/** Whether a global setup can be asked. */
export const isTestRun = (): boolean => process.env[testServerVariable] !== undefined

/** Asks the global setup for what a run shares; the first request makes it. */
export async function askGlobalSetup(what: string): Promise<unknown> {
  const url = process.env[testServerVariable]
  if (url === undefined)
    throw new Error('The global setup of vitest starts the Postgres of the tests: run them with vitest')
  const response = await fetch(new URL(what, url))
  if (!response.ok) throw new Error(`The Postgres of the tests did not start: ${await response.text()}`)
  return response.json()
}

export async function onServer(connection: PostgresConnection, statement: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

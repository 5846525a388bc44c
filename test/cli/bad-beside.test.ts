import { afterAll, expect, it } from 'vitest'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { badBeside } from '../../cli/doctor/beside-checks.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { laidDatabase } from '../support/test-database.ts'

const { connection, close } = await laidDatabase()
const database = openDatabase(connection, { connections_max: 1 })
afterAll(async () => {
  await database.close()
  await close()
})

const bad = async () => (await badBeside(readSettings({}), connection)).map(({ part, text }) => `${part}: ${text}`)

it('a server that has started is told of streams that a read model has stopped, as doctor tells', async () => {
  expect(await bad()).toStrictEqual([])
  const row = "('accounts', 'account-7', 1, gen_random_uuid(), 'X', 'decode', 'unreadable')"
  await database.pool.query(`insert into read_models.parked values ${row}`)
  expect(await bad()).toStrictEqual(['read models: accounts has stopped 1 streams'])
  await database.pool.query('delete from read_models.parked')
})

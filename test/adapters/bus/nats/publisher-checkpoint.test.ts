import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPublisherCheckpoint } from '../../../../adapters/bus/nats/postgres-publisher-checkpoint.ts'
import {
  memoryPublisherCheckpoint,
  type PublisherCheckpoint,
} from '../../../../adapters/bus/nats/publisher-checkpoint.ts'
import { migratedDatabase, type TestDatabase } from '../../../support/test-database.ts'

describe('The checkpoint of a publisher', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await migratedDatabase()
  })
  afterEach(() => database.close())

  const openings: Record<string, () => PublisherCheckpoint> = {
    'in memory': () => memoryPublisherCheckpoint(),
    'in Postgres': () => openPublisherCheckpoint(database.database),
  }

  it.each(Object.entries(openings))('%s is moved only from where it is', async (_, open) => {
    const checkpoint = open()
    expect(await checkpoint.load()).toBeUndefined()
    expect(await checkpoint.move(7n, 8n)).toBe(false)
    expect(await checkpoint.move(undefined, -1n)).toBe(true)
    expect(await checkpoint.move(undefined, 5n)).toBe(false)
    expect(await checkpoint.move(-1n, 9_007_199_254_740_993n)).toBe(true)
    expect(await checkpoint.move(-1n, 10n)).toBe(false)
    expect(await checkpoint.load()).toBe(9_007_199_254_740_993n)
  })

  it('in Postgres stays when it is opened again, and is moved by one of many', async () => {
    const checkpoints = Array.from({ length: 8 }, () => openPublisherCheckpoint(database.database))
    const [first] = checkpoints
    await first?.move(undefined, 1n)
    const moved = await Promise.all(checkpoints.map((checkpoint, index) => checkpoint.move(1n, BigInt(index + 2))))
    expect(moved.filter(Boolean)).toHaveLength(1)
    expect(await openPublisherCheckpoint(database.database).load()).toBe(BigInt(moved.indexOf(true) + 2))
  })
})

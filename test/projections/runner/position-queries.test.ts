import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guildsProjection } from '../../../projections/guilds/projector.ts'
import { membersProjection } from '../../../projections/members/projector.ts'
import { openQueries } from '../../../projections/read-models.ts'
import { world, type World } from '../support/world.ts'

let the: World

beforeAll(async () => {
  the = await world()
  await the.projector([guildsProjection, membersProjection])
  await the.database.pool.query('update read_models.checkpoints set position = 70')
  await the.database.pool.query("update read_models.checkpoints set position = 60 where name = 'members'")
})
afterAll(() => the.close())

const held = () => openQueries(the.database).positions.held()

describe('the position that notices of messages wait for', () => {
  it('is the lowest of the read models by which requests decide on messages', async () => {
    expect(await held()).toBe(60n)
  })

  it.each([
    ['is built for the first time', 0, -1],
    ['stands still until its next version is built', 1, 7],
  ])('does not follow another read model that %s', async (_, version, position) => {
    await the.database.pool.query("delete from read_models.checkpoints where name = 'gifts'")
    await the.database.pool.query(
      "insert into read_models.checkpoints (schema, name, version, position) values ('gifts', 'gifts', $1, $2)",
      [version, position],
    )
    expect(await held()).toBe(60n)
  })
})

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstoredb-double/double.ts'
import { instance, type Instance } from './support/instance.ts'
import { entryIn, userCommands } from './support/user-commands.ts'

let double: EventStoreDouble
let site: Instance
const { newAccount, foretells, refused } = userCommands(() => site)

beforeAll(async () => {
  double = await startEventStoreDouble()
  site = await instance(randomBytes(32), { eventStoreUrl: double.url })
})
afterAll(async () => {
  await site.close()
  await double.close()
})

describe('guildhall user on EventStoreDB', () => {
  it('bans, deletes and undoes, as its dry runs print', async () => {
    const { id } = await newAccount()
    const ban = await foretells('ban', id, '--hours', '3')
    const deletion = await foretells('delete', id, '--because', 'SPAM')
    for (const { output } of [ban, deletion]) {
      await foretells('undo', entryIn(output))
      expect(await refused('undo', entryIn(output))).toContain('was changed again, by entry')
    }
    const { code, output } = await site.guildhall(['audit', 'verify'])
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/^All 5 entries/) as string })
  })
})

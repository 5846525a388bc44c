import { beforeEach, describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal } from '../operations/support/answers.ts'
import { relationsOn, setFlags } from '../operations/support/relationships.ts'
import { openServer } from '../operations/support/scene.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

/** A pending request opens a profile as long as the recipient has it too. */

const guildhall = await openServer()
const { accept, ask, block, ignore, remove } = relationsOn(guildhall)
let ada: TestAccount
let brian: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
  brian = await guildhall.register()
})

const profile = ({ id }: TestAccount, { token }: TestAccount) =>
  guildhall.request('GET', `/v1/users/${id}/profile`, { token })
const write = ({ token }: TestAccount, bio: string) =>
  guildhall.request('PATCH', '/v1/users/@me', { token, body: { bio } })

describe('the profile of an account that got a friend request', () => {
  it('is open to the sender while the request is pending, and the other way round', async () => {
    bodyOf(await ask(ada, brian))
    for (const [one, other] of [
      [ada, brian],
      [brian, ada],
    ] as const)
      expect((await profile(one, other)).status).toBe(200)
  })
  it('is closed once it ignores the request, though the sender still sees it as pending', async () => {
    bodyOf(await ask(ada, brian))
    expect((await remove(brian, ada)).status).toBe(204)
    expectRefusal(await profile(brian, ada), 403, 'MISSING_ACCESS')
    expectRefusal(await profile(ada, brian), 403, 'MISSING_ACCESS')
    const carol = await guildhall.register()
    bodyOf(await ask(carol, brian))
    bodyOf(await ignore(brian, { filter: 'all' }))
    expectRefusal(await profile(brian, carol), 403, 'MISSING_ACCESS')
  })
  it('is closed once it blocks the sender, before the rest of the block is written', async () => {
    bodyOf(await ask(ada, brian))
    bodyOf(await block(brian, ada))
    bodyOf(await write(brian, 'At last alone'))
    expectRefusal(await profile(brian, ada), 403, 'MISSING_ACCESS')
    // Another request of the blocked account does not open it either.
    await ask(ada, brian)
    expectRefusal(await profile(brian, ada), 403, 'MISSING_ACCESS')
  })
  it('is closed once the sender blocks it', async () => {
    bodyOf(await ask(ada, brian))
    bodyOf(await block(ada, brian))
    expectRefusal(await profile(brian, ada), 403, 'MISSING_ACCESS')
    expectRefusal(await profile(ada, brian), 403, 'MISSING_ACCESS')
  })
  it('is never opened by a request that it does not see', async () => {
    await setFlags(guildhall, ada, 'SPAMMER')
    bodyOf(await ask(ada, brian))
    expectRefusal(await profile(brian, ada), 403, 'MISSING_ACCESS')
  })
  it('stays open to a friend', async () => {
    bodyOf(await ask(ada, brian))
    bodyOf(await accept(brian, ada))
    expect((await profile(brian, ada)).status).toBe(200)
    expect((await remove(brian, ada)).status).toBe(204)
    expectRefusal(await profile(brian, ada), 403, 'MISSING_ACCESS')
  })
})

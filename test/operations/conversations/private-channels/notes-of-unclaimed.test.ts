import { afterAll, expect, it } from 'vitest'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { connections } from '../../support/connected.ts'
import { unclaimed } from '../../support/relationships.ts'
import { openScene } from '../../support/scene.ts'
import { openDirect, privateChannelsOn } from './support.ts'
import { accept, invite } from '../../support/answers.ts'

/** Nobody else can read an account's notes, so an account without address and password may write there too. */

const { guildhall, ada, home } = await openScene()
const { connect, end } = connections()
afterAll(end)
const { write, messages } = privateChannelsOn(guildhall)

it('an account without address and password may write its own notes, but no direct message', async () => {
  const guest = await unclaimed(guildhall)
  expectFields(await write(guest, guest.id, 'too soon'), field('content', 'MUST_START_SESSION_BEFORE_SENDING'))
  await connect(guildhall, guest)
  bodyOf(await write(guest, guest.id, 'Remember the milk'))
  expect(await messages(guest, guest.id)).toMatchObject([{ content: 'Remember the milk', author: { id: guest.id } }])
  bodyOf(await accept(guildhall, { ...ada, ...guest }, await invite(guildhall, ada, home.channel)))
  const direct = await openDirect(guildhall, guest, ada)
  expectRefusal(await write(guest, direct, 'Hello'), 400, 'UNCLAIMED_ACCOUNT_CANNOT_SEND_MESSAGES')
  expectRefusal(await write(guest, home.channel, 'Hello'), 400, 'UNCLAIMED_ACCOUNT_CANNOT_SEND_MESSAGES')
  expectRefusal(await write(guest, '1', 'Whatever the channel'), 400, 'UNCLAIMED_ACCOUNT_CANNOT_SEND_MESSAGES')
})

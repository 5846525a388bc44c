import { describe, expect, it } from 'vitest'
import { directChannel } from '../../../domain/direct-channel/direct-channel.ts'
import type { DirectChannelEvent } from '../../../domain/direct-channel/events.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { ada, channel, grace, linus, start } from '../../../domain/testing/people.ts'
import { directChannelCommands } from '../../../domain/testing/commands/private-channel-commands.ts'
import { laws } from '../../support/laws.ts'

laws('directChannel', directChannelCommands)

const other = (accountId: AccountId) => (accountId === ada ? grace : ada)
const view = (accountId: AccountId) => ({ channelId: channel(1), accountId, otherId: other(accountId) })
const open = (accountId: AccountId, channelId = channel(1)) =>
  ({ type: 'OpenDirectChannel', channelId, accountId, otherId: other(accountId), now: start }) as const
const show = (...accounts: readonly AccountId[]) => ({ type: 'ShowDirectChannel', accounts }) as const
const hide = (accountId: AccountId) => ({ type: 'HideDirectChannel', accountId }) as const

const opened: DirectChannelEvent = { type: 'DirectChannelOpened', data: { ...view(ada), openedAt: start } }
const shown = (accountId: AccountId): DirectChannelEvent => ({ type: 'DirectChannelShown', data: view(accountId) })
const hidden = (accountId: AccountId): DirectChannelEvent => ({ type: 'DirectChannelHidden', data: view(accountId) })

describe('the direct messages of two', () => {
  it('open for the one who opens them alone', () => {
    given(directChannel, []).when(open(ada)).then(opened)
    given(directChannel, [opened]).when(open(ada)).changesNothing()
  })

  it('are one channel, whoever opens them and under whatever id', () => {
    given(directChannel, [opened])
      .when(open(grace, channel(2)))
      .then(shown(grace))
    given(directChannel, [opened])
      .when(open(ada, channel(2)))
      .changesNothing()
  })

  it('are shown to those who do not have them open', () => {
    given(directChannel, [opened]).when(show(ada, grace)).then(shown(grace))
    given(directChannel, [opened, hidden(ada)])
      .when(show(ada, grace))
      .then(shown(ada), shown(grace))
    given(directChannel, [opened, shown(grace)])
      .when(show(grace))
      .changesNothing()
    given(directChannel, [opened]).when(show(linus)).refuses('UNKNOWN_CHANNEL')
    given(directChannel, []).when(show(ada)).refuses('UNKNOWN_CHANNEL')
  })

  it('close for the one who closes them alone', () => {
    given(directChannel, [opened, shown(grace)])
      .when(hide(ada))
      .then(hidden(ada))
    given(directChannel, [opened]).when(hide(grace)).changesNothing()
    given(directChannel, [opened]).when(hide(linus)).refuses('UNKNOWN_CHANNEL')
  })

  const lives = histories(directChannel, directChannelCommands)
  property('keep their channel for good, and are open for nobody but the two', lives, ({ steps }) => {
    for (const { before, after } of steps) {
      if (after.status === 'absent') continue
      if (before.status === 'opened') expect(after.channelId).toBe(before.channelId)
      expect(new Set(after.accounts)).toStrictEqual(new Set([ada, grace]))
      for (const account of after.openFor) expect(after.accounts).toContain(account)
      expect(new Set(after.openFor).size).toBe(after.openFor.length)
    }
  })
})

import { describe, it } from 'vitest'
import { application } from '../../../domain/application/application.ts'
import type { ApplicationCreated, ApplicationEvent } from '../../../domain/application/events.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, engine, grace, start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'
import { applicationCommands } from '../../../domain/testing/commands/application-commands.ts'

laws('application', applicationCommands)

const facts: ApplicationCreated = {
  applicationId: engine,
  ownerId: ada,
  name: 'Engine',
  redirectUris: ['https://engine.example.org/back'],
  botPublic: true,
  botRequireCodeGrant: false,
  bot: { username: 'Engine', discriminator: 1837, locale: 'en-US' },
  botTokenHash: 'token-1',
  clientSecretHash: 'secret-1',
  createdAt: start,
}
const created: ApplicationEvent = { type: 'ApplicationCreated', data: facts }
const tokenReset = {
  type: 'BotTokenReset',
  data: { applicationId: engine, botTokenHash: 'token-2', revokedTokenHash: 'token-1' },
} as const
const deleted = (revokedTokenHash: string): ApplicationEvent => ({
  type: 'ApplicationDeleted',
  data: { applicationId: engine, ownerId: ada, revokedTokenHash, deletedAt: start },
})

const { createdAt, ...wishes } = facts
const create = (changes: Partial<ApplicationCreated> = {}, now = createdAt) =>
  ({ type: 'CreateApplication', ...wishes, ...changes, delegationVersion: 0, now }) as const
const change = (changes: object) => ({ type: 'ChangeApplication', changes }) as const
const resetToken = (botTokenHash: string) => ({ type: 'ResetBotToken', botTokenHash, delegationVersion: 0 }) as const
const resetSecret = (clientSecretHash: string) => ({ type: 'ResetClientSecret', clientSecretHash }) as const
const remove = { type: 'DeleteApplication', now: start } as const

describe('creating an application', () => {
  it('records its settings, its bot, and hashes of its secrets', () => {
    given(application, []).when(create()).then(created)
  })

  it('is done once, however often it is asked for', () => {
    given(application, [created]).when(create()).changesNothing()
    given(application, [created, deleted('token-1')])
      .when(create())
      .changesNothing()
  })

  it('never gives an id to another application', () => {
    given(application, [created])
      .when(create({ ownerId: grace }))
      .refuses('CONFLICT')
    given(application, [created])
      .when(create({}, secondsAfter(start, 1)))
      .refuses('CONFLICT')
  })
})

describe('changing an application', () => {
  it('records only the differences', () => {
    given(application, [created])
      .when(change({ name: 'Loom', botPublic: true, redirectUris: [] }))
      .then({
        type: 'ApplicationChanged',
        data: { applicationId: engine, changes: { name: 'Loom', redirectUris: [] } },
      })
  })

  it('is empty if everything stays as it is', () => {
    given(application, [created]).when(change({})).changesNothing()
    given(application, [created])
      .when(change({ redirectUris: ['https://engine.example.org/back'], name: 'Engine' }))
      .changesNothing()
  })
})

describe('the secrets of an application', () => {
  it('are replaced one by one, and a bot token that is replaced is named', () => {
    given(application, [created]).when(resetToken('token-2')).then(tokenReset)
    given(application, [created])
      .when(resetSecret('secret-2'))
      .then({ type: 'ClientSecretReset', data: { applicationId: engine, clientSecretHash: 'secret-2' } })
  })

  it('are not replaced by a request from before its owner ended all delegations, once the bot has a token again', () => {
    const again: ApplicationEvent = { ...tokenReset, data: { ...tokenReset.data, delegationVersion: 1 } }
    given(application, [created])
      .when({ ...resetToken('token-2'), delegationVersion: 1 })
      .then(again)
    given(application, [created, again]).when(resetToken('token-3')).refuses('UNAUTHORIZED')
    given(application, [created, again]).when(resetToken('token-2')).changesNothing()
  })

  it('are replaced once by the same command', () => {
    given(application, [created, tokenReset]).when(resetToken('token-2')).changesNothing()
    given(application, [created]).when(resetSecret('secret-1')).changesNothing()
  })
})

describe('deleting an application', () => {
  it('names the bot token that is no longer valid', () => {
    given(application, [created]).when(remove).then(deleted('token-1'))
    given(application, [created, tokenReset]).when(remove).then(deleted('token-2'))
  })

  it('leaves nothing that can be changed, given a new secret, or deleted', () => {
    for (const before of [[], [created, deleted('token-1')]]) {
      for (const command of [change({ name: 'Loom' }), resetToken('t'), resetSecret('s'), remove]) {
        given(application, before).when(command).refuses('UNKNOWN_APPLICATION')
      }
    }
  })
})

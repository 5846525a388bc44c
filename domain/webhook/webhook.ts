import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { ChangeWebhook, CreateWebhook, DeleteWebhook, RestoreWebhook, WebhookCommand } from './commands.ts'
import { webhookEvents, type WebhookEvent, type WebhookFields } from './events.ts'
import type { WebhookState } from './state.ts'

/** What posts messages into a channel of a guild, for whoever knows its token (decision 214). */
export const webhook = aggregate({
  category: 'webhook',
  identifiedBy: 'the webhook id',
  guards: 'the name, image, channel and removal of a webhook',
  stateVersion: 1,
  events: webhookEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: WebhookState, command: WebhookCommand): Decision<WebhookEvent> {
  switch (command.type) {
    case 'CreateWebhook':
      return create(state, command)
    case 'ChangeWebhook':
      return change(state, command)
    case 'DeleteWebhook':
      return remove(state, command)
    case 'RestoreWebhook':
      return restore(state, command)
  }
}

/** An id is given once. The same command again changes nothing, another one is refused with CONFLICT. */
function create(state: WebhookState, { webhook: created }: CreateWebhook): Decision<WebhookEvent> {
  if (state.status === 'absent') return accept({ type: 'WebhookCreated', data: created })
  const isTheSame = state.status === 'created' && state.creatorId === created.creatorId
  return isTheSame ? accept() : refuse('CONFLICT')
}

/** What is as it was wished changes nothing. */
function change(state: WebhookState, { changes, byToken }: ChangeWebhook): Decision<WebhookEvent> {
  if (state.status !== 'created') return refuse('UNKNOWN_WEBHOOK')
  const { webhookId, guildId, channelId, kind } = state
  const { before, after } = differences(state, changes)
  if (Object.keys(after).length === 0) return accept()
  return accept({ type: 'WebhookChanged', data: { webhookId, guildId, channelId, kind, before, after, byToken } })
}

function remove(state: WebhookState, { byToken }: DeleteWebhook): Decision<WebhookEvent> {
  if (state.status !== 'created') return refuse('UNKNOWN_WEBHOOK')
  const { status: _, token: __, ...record } = state
  return accept({ type: 'WebhookDeleted', data: { ...record, byToken } })
}

/** Only a deleted webhook comes back; one that is there stays as it is (rules/administration#rewinds). */
function restore(state: WebhookState, { webhook: restored }: RestoreWebhook): Decision<WebhookEvent> {
  if (state.status === 'created') return accept()
  if (state.status !== 'deleted' || state.guildId !== restored.guildId) return refuse('CONFLICT')
  return accept({ type: 'WebhookCreated', data: restored })
}

function differences(now: WebhookFields, { name, avatar, channelId }: Partial<WebhookFields>) {
  const before: { -readonly [Field in keyof WebhookFields]?: WebhookFields[Field] } = {}
  const after: typeof before = {}
  if (name !== undefined && name !== now.name) [before.name, after.name] = [now.name, name]
  if (avatar !== undefined && avatar !== now.avatar) [before.avatar, after.avatar] = [now.avatar, avatar]
  if (channelId !== undefined && channelId !== now.channelId) {
    ;[before.channelId, after.channelId] = [now.channelId, channelId]
  }
  return { before, after }
}

function evolve(state: WebhookState, event: WebhookEvent): WebhookState {
  switch (event.type) {
    case 'WebhookCreated':
      return { status: 'created', ...event.data }
    case 'WebhookChanged':
      return state.status === 'created' ? { ...state, ...event.data.after } : state
    case 'WebhookDeleted':
      return { status: 'deleted', guildId: event.data.guildId }
  }
}

/** The status after an event, for those that decide it: the others leave it as it is. */
export const webhookStatusAfter = {
  WebhookCreated: 'created',
  WebhookDeleted: 'deleted',
} as const satisfies Partial<Record<WebhookEvent['type'], WebhookState['status']>>

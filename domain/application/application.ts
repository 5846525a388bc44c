import { isGivenSince, underVersion } from '../delegations/delegation-version.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type {
  ApplicationCommand,
  ChangeApplication,
  CreateApplication,
  DeleteApplication,
  ResetBotToken,
  ResetClientSecret,
} from './commands.ts'
import { applicationEvents, type ApplicationEvent } from './events.ts'
import type { Application, ApplicationOrigin, ApplicationSettings, ApplicationState } from './state.ts'

/**
 * An OAuth2 application, and the credentials of its bot and its client. Its stream is named by its id, which is also its bot's.
 */
export const application = aggregate({
  category: 'application',
  identifiedBy: "the application id, which is also its bot's account id",
  guards: 'settings, redirect URIs, the hashes of bot token and client secret, and deletion (decision 20)',
  stateVersion: 2,
  events: applicationEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: ApplicationState, command: ApplicationCommand): Decision<ApplicationEvent> {
  if (command.type === 'CreateApplication') return create(state, command)
  if (state.status !== 'created') return refuse('UNKNOWN_APPLICATION')
  switch (command.type) {
    case 'ChangeApplication':
      return change(state, command)
    case 'ResetBotToken':
      return resetBotToken(state, command)
    case 'ResetClientSecret':
      return resetClientSecret(state, command)
    case 'DeleteApplication':
      return remove(state, command)
  }
}

/** Creating the same application again changes nothing. An id that another one has is CONFLICT. */
function create(state: ApplicationState, command: CreateApplication): Decision<ApplicationEvent> {
  const { type: _, now, delegationVersion: __, ...data } = command
  if (state.status === 'absent')
    return accept({ type: 'ApplicationCreated', data: { ...data, createdAt: now, ...underVersion(command) } })
  return state.ownerId === data.ownerId && state.createdAt === now ? accept() : refuse('CONFLICT')
}

function change(state: Application, command: ChangeApplication): Decision<ApplicationEvent> {
  const changes = realChanges(state, command.changes)
  return changes ? accept({ type: 'ApplicationChanged', data: { applicationId: state.id, changes } }) : accept()
}

/** The previous token becomes invalid. Refuses with UNAUTHORIZED as `isGivenSince`. */
function resetBotToken(state: Application, command: ResetBotToken): Decision<ApplicationEvent> {
  const { id: applicationId, botTokenHash: revokedTokenHash } = state
  const { botTokenHash } = command
  if (botTokenHash === revokedTokenHash) return accept()
  if (isGivenSince(state, command)) return refuse('UNAUTHORIZED')
  const data = { applicationId, botTokenHash, revokedTokenHash, ...underVersion(command) }
  return accept({ type: 'BotTokenReset', data })
}

function resetClientSecret(state: Application, { clientSecretHash }: ResetClientSecret): Decision<ApplicationEvent> {
  if (clientSecretHash === state.clientSecretHash) return accept()
  return accept({ type: 'ClientSecretReset', data: { applicationId: state.id, clientSecretHash } })
}

function remove(state: Application, { now }: DeleteApplication): Decision<ApplicationEvent> {
  const { id: applicationId, ownerId, botTokenHash: revokedTokenHash } = state
  return accept({ type: 'ApplicationDeleted', data: { applicationId, ownerId, revokedTokenHash, deletedAt: now } })
}

function evolve(state: ApplicationState, event: ApplicationEvent): ApplicationState {
  if (event.type === 'ApplicationCreated') {
    const { applicationId: id, delegationVersion = 0, ...rest } = event.data
    return { status: 'created', id, ...rest, delegationVersion }
  }
  if (state.status !== 'created') return state
  switch (event.type) {
    case 'ApplicationChanged':
      return { ...state, ...event.data.changes }
    case 'BotTokenReset':
      return { ...state, botTokenHash: event.data.botTokenHash, delegationVersion: event.data.delegationVersion ?? 0 }
    case 'ClientSecretReset':
      return { ...state, clientSecretHash: event.data.clientSecretHash }
    case 'ApplicationDeleted':
      return { status: 'deleted', ...originOf(state) }
  }
}

function originOf({ id, ownerId, bot, createdAt }: Application): ApplicationOrigin {
  return { id, ownerId, bot, createdAt }
}

/** The changes that differ from the settings; undefined if none does. Values are texts, flags, and lists of texts. */
function realChanges(
  settings: ApplicationSettings,
  changes: Partial<ApplicationSettings>,
): Partial<ApplicationSettings> | undefined {
  const real = Object.entries(changes).filter(
    ([member, value]) => value !== undefined && JSON.stringify(Reflect.get(settings, member)) !== JSON.stringify(value),
  )
  return real.length === 0 ? undefined : Object.fromEntries(real)
}

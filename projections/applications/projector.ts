import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { ApplicationEvent } from '../../domain/application/events.ts'
import type { ApplicationSettings } from '../../domain/application/state.ts'
import { patch, projection, put, remove, type Row, type RowChange } from '../runner/projection.ts'

/** Applications, by id and owner, and by the hash of the bot token. */
export const applicationsProjection = projection<ApplicationEvent>({
  name: 'applications',
  answers: 'Applications by owner, and whose bot a token hash is.',
  version: 3,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { applications: ['id'] },
  on: {
    ApplicationCreated: ({ data, revision }) => [
      put('applications', {
        id: data.applicationId,
        owner_id: data.ownerId,
        ...settingColumns(data),
        bot_token_hash: data.botTokenHash,
        delegation_version: data.delegationVersion ?? 0,
        created_at: data.createdAt,
        bot_token_created_at: data.createdAt,
        client_secret_created_at: data.createdAt,
        version: revision + 1,
      }),
    ],
    ApplicationChanged: (event) => [changed(event, settingColumns(event.data.changes))],
    BotTokenReset: (event) => [
      changed(event, {
        bot_token_hash: event.data.botTokenHash,
        delegation_version: event.data.delegationVersion ?? 0,
        bot_token_created_at: event.metadata.at,
      }),
    ],
    ClientSecretReset: (event) => [changed(event, { client_secret_created_at: event.metadata.at })],
    ApplicationDeleted: ({ data }) => [remove('applications', { id: data.applicationId })],
  },
})

function changed({ data, revision }: RecordedEvent<ApplicationEvent>, columns: Row): RowChange {
  return patch('applications', { id: data.applicationId }, { ...columns, version: revision + 1 })
}

function settingColumns({ name, redirectUris, botPublic, botRequireCodeGrant }: Partial<ApplicationSettings>): Row {
  return {
    ...(name === undefined ? {} : { name }),
    ...(redirectUris === undefined ? {} : { redirect_uris: redirectUris }),
    ...(botPublic === undefined ? {} : { bot_public: botPublic }),
    ...(botRequireCodeGrant === undefined ? {} : { bot_require_code_grant: botRequireCodeGrant }),
  }
}

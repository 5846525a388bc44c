import type { ApplicationEvent } from '../../domain/application/events.js'
import type { ApplicationSettings } from '../../domain/application/state.js'
import { patch, projection, put, remove, type Row } from '../runner/projection.js'

/** Applications, by id and owner, and by the hash of the bot token. */
export const applicationsProjection = projection<ApplicationEvent>({
  name: 'applications',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { applications: ['id'] },
  on: {
    ApplicationCreated: ({ data }) => [
      put('applications', {
        id: data.applicationId,
        owner_id: data.ownerId,
        ...settingColumns(data),
        bot_token_hash: data.botTokenHash,
        created_at: data.createdAt,
      }),
    ],
    ApplicationChanged: ({ data }) => [patch('applications', { id: data.applicationId }, settingColumns(data.changes))],
    BotTokenReset: ({ data }) => [
      patch('applications', { id: data.applicationId }, { bot_token_hash: data.botTokenHash }),
    ],
    ApplicationDeleted: ({ data }) => [remove('applications', { id: data.applicationId })],
  },
})

function settingColumns({ name, redirectUris, botPublic, botRequireCodeGrant }: Partial<ApplicationSettings>): Row {
  return {
    ...(name === undefined ? {} : { name }),
    ...(redirectUris === undefined ? {} : { redirect_uris: redirectUris }),
    ...(botPublic === undefined ? {} : { bot_public: botPublic }),
    ...(botRequireCodeGrant === undefined ? {} : { bot_require_code_grant: botRequireCodeGrant }),
  }
}

import { textsInLanguages } from '../texts/texts.ts'

export const userTexts = textsInLanguages(
  {
    views: { users: 'Users' },
    users: {
      any: 'Name, tag, id or address',
      about: 'Account',
      sessions: 'Sessions',
      guilds: 'Guilds',
      relationships: 'Relationships',
      purchases: 'Purchases',
      applications: 'Applications',
      passkeys: 'Passkeys',
      changes: 'Changes',
      entries: 'Audit log',
      messages: 'Private channels',
      history: 'History',
      acts: 'Acts on this account',
      deleted_at: 'This account is to be deleted on %{at}.',
    },
    operations: {
      banUser: 'Ban',
      liftBan: 'Lift ban',
      scheduleUserDeletion: 'Schedule deletion',
      cancelUserDeletion: 'Cancel deletion',
    },
  },
  {
    views: { users: 'Konten' },
    users: {
      any: 'Name, Tag, Nummer oder Adresse',
      about: 'Konto',
      sessions: 'Sitzungen',
      guilds: 'Gilden',
      relationships: 'Beziehungen',
      purchases: 'Käufe',
      applications: 'Anwendungen',
      passkeys: 'Passkeys',
      changes: 'Änderungen',
      entries: 'Protokoll',
      messages: 'Private Kanäle',
      history: 'Verlauf',
      acts: 'Handlungen an diesem Konto',
      deleted_at: 'Dieses Konto wird am %{at} gelöscht.',
    },
    operations: {
      banUser: 'Sperren',
      liftBan: 'Sperre aufheben',
      scheduleUserDeletion: 'Löschung ansetzen',
      cancelUserDeletion: 'Löschung absagen',
    },
  },
)

import type { AdminExample } from './admin-example.ts'

const unknownUser = '/v1/admin/users/1'

/** The example of an operation on a user that was just registered. */
function ofUser(resource: string, body?: unknown): AdminExample {
  const given = body === undefined ? {} : { body }
  return {
    succeeds: async ({ guildhall }) => ({
      path: `/v1/admin/users/${(await guildhall.register()).id}/${resource}`,
      ...given,
    }),
    refused: () => ({ path: `${unknownUser}/${resource}`, ...given, status: 404 }),
  }
}

/** Corrections of accounts. */
export const userCorrectionExamples: Readonly<Record<string, AdminExample>> = {
  'Resend verification email': ofUser('verification-email'),
  'Verify user email': ofUser('email-verification'),
  'Send password reset': ofUser('password-reset'),
  'Create password reset link': ofUser('password-reset-link'),
  'Delete recovery kit': ofUser('recovery-kit'),
  'Change user email': ofUser('email', { email: 'given@example.org' }),
  'List user change log': {
    succeeds: async ({ guildhall }) => ({ path: `/v1/admin/users/${(await guildhall.register()).id}/change-log` }),
    refused: () => ({ path: `${unknownUser}/change-log?limit=0`, status: 400 }),
  },
  'Change user username': ofUser('username', { username: 'renamed' }),
  'Clear user profile fields': ofUser('profile-fields', { fields: ['bio'] }),
}

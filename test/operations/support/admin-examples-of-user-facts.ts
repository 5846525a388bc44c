import type { AdminExample } from './admin-example.ts'

const unknownId = '1'

/** One request for anybody, and the same for nobody. */
const about = (path: string, body: object): AdminExample => ({
  succeeds: async ({ guildhall }) => ({ path: `/v1/admin/users/${(await guildhall.register()).id}/${path}`, body }),
  refused: () => ({ path: `/v1/admin/users/${unknownId}/${path}`, body, status: 404 }),
})

/** The examples of operations that set facts of accounts. */
export const userFactExamples: Readonly<Record<string, AdminExample>> = {
  'Update user flags': about('flags', { add_flags: ['1'] }),
  'Change user date of birth': about('date-of-birth', { date_of_birth: '1990-12-10' }),
  'Set user bot status': about('bot-status', { bot: false }),
  'Set user system status': about('system-status', { system: false }),
  'Update user premium flags': about('premium-flags', { add_flags: [32] }),
  'Set user traits': about('traits', { traits: ['tester'] }),
}

import type { AdminExample, ExampleStage } from './admin-example.ts'
import { enrol } from './passkeys.ts'
import { relationsOn } from './relationships.ts'

const users = '/v1/admin/users'
const unknownUser = `${users}/1`

/** Below the path of an account of its own. */
const ofNewcomer =
  (rest: string) =>
  async ({ guildhall }: ExampleStage) => ({ path: `${users}/${(await guildhall.register()).id}/${rest}` })

/** The sessions, second factors and relationships of accounts. */
export const userPeopleExamples: Readonly<Record<string, AdminExample>> = {
  'Terminate user sessions': {
    succeeds: ofNewcomer('sessions'),
    refused: () => ({ path: `${unknownUser}/sessions`, status: 404 }),
  },
  'Disable user MFA': {
    succeeds: ofNewcomer('mfa'),
    refused: () => ({ path: `${unknownUser}/mfa`, status: 404 }),
  },
  'Delete user WebAuthn credential': {
    succeeds: async ({ guildhall }) => {
      const holder = await guildhall.register()
      const { credentialId } = await enrol(guildhall, holder)
      return { path: `${users}/${holder.id}/webauthn-credentials/${credentialId}` }
    },
    refused: () => ({ path: `${unknownUser}/webauthn-credentials/x`, status: 404 }),
  },
  'Remove one user relationship': {
    succeeds: async ({ guildhall }) => {
      const [holder, other] = [await guildhall.register(), await guildhall.register()]
      await relationsOn(guildhall).block(holder, other)
      return { path: `${users}/${holder.id}/relationships/${other.id}`, body: { category: 'blocked' } }
    },
    refused: () => ({ path: `${unknownUser}/relationships/2`, body: { category: 'friend' }, status: 404 }),
  },
  'Remove user relationships by category': {
    succeeds: async (stage) => ({ ...(await ofNewcomer('relationships')(stage)), body: { category: 'friend' } }),
    refused: () => ({ path: `${unknownUser}/relationships`, body: { category: 'everyone' }, status: 400 }),
  },
}

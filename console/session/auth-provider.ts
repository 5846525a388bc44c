import type { AuthProvider } from 'react-admin'
import { call, type ReplyOf } from '../api/call.ts'
import { Failure } from '../api/failure.ts'
import { renew, signIn, signOut } from './session.ts'

export type CurrentAdmin = ReplyOf<'getCurrentAdminUser'>['user']

let current: Promise<CurrentAdmin> | undefined

/** The account that is signed in, asked for once; again after a failure. */
export function currentAdmin(): Promise<CurrentAdmin> {
  current ??= call('getCurrentAdminUser').then(
    ({ user }) => user,
    (error: unknown) => {
      current = undefined
      throw error
    },
  )
  return current
}

export const authProvider: AuthProvider = {
  login: signIn,
  logout: async () => {
    await signOut()
    // The page goes, with all that it shows and holds.
    return signIn()
  },
  checkAuth: async () => {
    if (!(await isSignedInAlready())) await signIn()
  },
  checkError: () => Promise.resolve(),
  getPermissions: async () => (await currentAdmin()).acls,
  getIdentity: async () => {
    try {
      const { id, username, global_name: globalName } = await currentAdmin()
      return { id, fullName: globalName ?? username }
    } catch (error) {
      // Who may not administer is told so by the page, and stays nameless.
      if (error instanceof Failure) return { id: '', fullName: '' }
      throw error
    }
  },
}

let isSignedIn = false

/** Asked at every change of the view; afterwards the requests themselves find out. */
async function isSignedInAlready(): Promise<boolean> {
  isSignedIn ||= await renew()
  return isSignedIn
}

import type { Scope } from '../../../../domain/oauth2-authorization/scopes.ts'

/** The texts of a page of a mailed link. */
interface TokenTexts {
  readonly title: string
  readonly intro: string
  readonly button: string
  readonly done: string
}

/** The texts of the pages, in one language. */
export interface PageTexts {
  readonly verify: TokenTexts
  readonly reset: TokenTexts
  readonly wasntme: TokenTexts
  readonly authorizeIp: TokenTexts
  readonly link: string
  readonly registrationLink: string
  readonly newPassword: (characters_min: number) => string
  readonly failed: string
  readonly unsafeTarget: string
  readonly goOn: string
  readonly goingOn: string
  readonly email: string
  readonly username: string
  readonly password: string
  readonly code: string
  readonly displayName: string
  readonly dateOfBirth: string
  readonly signInHere: string
  readonly signInWith: (provider: string) => string
  readonly provider: string
  readonly signInByPasskey: string
  readonly usePasskey: string
  readonly passkeyFailed: string
  readonly tryPasskeyAgain: string
  readonly passkeysNeedScripts: string
  readonly start: { readonly title: string; readonly intro: string; readonly api: string; readonly forClients: string }
  readonly register: TokenTexts & {
    readonly introByLink: string
    readonly agree: string
    readonly agreeUnlinked: string
    readonly pending: string
    readonly created: string
    readonly invite: string
  }
  /** What somebody without an account reads. */
  readonly newAccount: {
    readonly none: string
    readonly noneByLink: string
    readonly byProvider: (provider: string) => string
    readonly closed: string
  }
  /** What a browser shows instead of a refusal. */
  readonly refused: { readonly notFound: string; readonly nothingHere: string; readonly toStart: string }
  readonly terms: string
  readonly privacy: string
  readonly invite: {
    readonly title: (destination: string) => string
    readonly group: string
    readonly from: (inviter: string) => string
    readonly members: (count: number) => string
    readonly button: string
    readonly done: (destination: string) => string
  }
  readonly gift: {
    readonly title: string
    readonly about: (quantity: number, unit: string) => string
    readonly redeemed: string
    readonly button: string
    readonly done: string
  }
  readonly consent: {
    readonly title: (application: string) => string
    readonly wants: (application: string) => string
    readonly scopes: Readonly<Record<Scope, string>>
    readonly permissions: string
    readonly administrator: string
    readonly guild: string
    readonly as: (name: string) => string
    readonly goesTo: (site: string) => string
    readonly allow: string
    readonly deny: string
    readonly denied: string
    readonly done: string
  }
  readonly console: {
    readonly title: string
    readonly about: (product: string) => string
    readonly button: string
    readonly incomplete: string
    readonly toConsole: string
  }
  /** What stands in place of the console while its files are not there. */
  readonly consoleFiles: { readonly title: string; readonly building: string; readonly missing: string }
  readonly signOn: {
    readonly title: string
    readonly intro: string
    readonly button: string
    readonly done: (name: string) => string
    readonly token: string
  }
}

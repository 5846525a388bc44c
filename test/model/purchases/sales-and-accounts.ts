/** Whole days: few enough that each is counted on its own. */
export type Day = number
export type Who = 'ada' | 'grace'
export type SaleName = 'subscriptionA' | 'subscriptionB' | 'upgradeB' | 'giftA' | 'giftB'

/** What a store has of a sale. */
export interface Said {
  readonly expires: Day
  readonly graceEnds: Day | null
  readonly isCanceled: boolean
  readonly revoked: Day | null
  readonly order: number
}

export type State = 'active' | 'canceled' | 'grace' | 'expired' | 'revoked'

export interface ModelSale {
  readonly name: SaleName
  readonly isGift: boolean
  readonly isOfB: boolean
  readonly replaces: SaleName | null
  said: Said
  /** What the last reading said; null before the first. */
  known: (Said & { readonly state: State }) | null
  owner: Who | null
  isReleased: boolean
  isSuperseded: boolean
  voided: { readonly order: number; readonly day: Day } | null
  hasCode: boolean
  isGiftRevoked: boolean
  redeemer: Who | null
}

export interface ModelCut {
  readonly days: readonly Day[]
  readonly from: Day
  readonly to: Day
  readonly isRefunded: boolean
}

/** Premium of one account. Nothing here is computed from spans. */
export interface ModelAccount {
  isErased: boolean
  /** When each purchase came to it. */
  readonly links: Map<SaleName, Day>
  readonly paid: Set<Day>
  until: Day | null
  payer: SaleName | null
  readonly cuts: Map<SaleName, ModelCut>
  gifts: { readonly name: SaleName; readonly at: Day; readonly days: number }[]
  taken: { readonly name: SaleName; readonly days: number }[]
  /** The gifts whose codes it was told. */
  readonly codes: Set<SaleName>
}

/** An account without premium. */
export const account = (): ModelAccount => ({
  isErased: false,
  links: new Map(),
  paid: new Set(),
  until: null,
  payer: null,
  cuts: new Map(),
  gifts: [],
  taken: [],
  codes: new Set(),
})

/** A sale that the service has not read. */
export const sale = (name: SaleName, expires: Day): ModelSale => ({
  name,
  isGift: name.startsWith('gift'),
  isOfB: name.endsWith('B'),
  replaces: name === 'upgradeB' ? 'subscriptionB' : null,
  said: { expires, graceEnds: null, isCanceled: false, revoked: null, order: 1 },
  known: null,
  owner: null,
  isReleased: false,
  isSuperseded: false,
  voided: null,
  hasCode: false,
  isGiftRevoked: false,
  redeemer: null,
})

/** What happens: in a store, or by a request of an account. */
export interface Act {
  readonly act:
    | 'claim'
    | 'redeem'
    | 'renew'
    | 'grace'
    | 'cancel'
    | 'refund'
    | 'reverse'
    | 'void'
    | 'tell'
    | 'release'
    | 'erase'
  readonly who: Who
  readonly sale: SaleName
  /** How many days ago the store gave the money back. */
  readonly ago?: Day
}

/** A death, if there is one, comes after so many changes; `first` is who comes first afterwards. */
export interface Step {
  readonly wait: Day
  readonly act: Act
  readonly dies: number | null
  readonly first: 'the client' | 'a notification' | 'the due reading' | 'the process manager'
}

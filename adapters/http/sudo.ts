/** When an operation needs sudo mode (contract part 1, Sudo mode). Its body then has the sudo verification fields. */
export type Sudo = AlwaysSudo | SudoOnDemand

/** Before the handler, whoever calls: sudo mode comes before ownership. */
export interface AlwaysSudo {
  readonly sudo: 'always'
  /** Whether the answer carries a proof; two operations send none. */
  readonly sendsProof: boolean
}

/** Only for some requests: the handler asks for it, before anything is done. */
export interface SudoOnDemand {
  readonly sudo: 'on demand'
  readonly sendsProof: true
  /** Whether it asks only accounts that have a second factor; everybody who can prove anything where that is left out. */
  readonly ofSecondFactors?: true
}

export const alwaysSudo: AlwaysSudo = { sudo: 'always', sendsProof: true }
export const alwaysSudoWithoutProof: AlwaysSudo = { sudo: 'always', sendsProof: false }
export const sudoOnDemand: SudoOnDemand = { sudo: 'on demand', sendsProof: true }
export const sudoOfSecondFactorsOnDemand: SudoOnDemand = { ...sudoOnDemand, ofSecondFactors: true }

/** In lower case, as Node has it. */
export const sudoHeader = 'x-service-sudo-mode-jwt'

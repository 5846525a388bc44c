import { parseNewPassword, parsePresentPassword, passwordLength } from '../../../domain/account/password.ts'
import { readBy } from './scalars.ts'

const counted = 'Its length counts, and it is compared, in Unicode normalisation form NFKC.'

/** A password to set. */
export const newPasswordInput = readBy(parseNewPassword, passwordLength).meta({ description: counted })

/** A password that proves who somebody is. */
export const presentPasswordInput = readBy(parsePresentPassword, passwordLength).meta({ description: counted })

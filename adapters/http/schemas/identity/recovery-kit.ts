import { z } from 'zod'
import { tagTextLength } from '../../../../application/identity/accounts/tag-text.js'
import { recoveryKeyLength } from '../../../../application/identity/recovery/recovery-key.js'
import { timestampOutput } from '../outputs.js'
import { newPasswordInput } from '../passwords.js'
import { textInput } from '../scalars.js'
import { secretOutput } from '../secrets.js'

/** Reset password by recovery kit. */
export const kitReset = z
  .object({
    username: textInput(tagTextLength),
    recovery_key: textInput(recoveryKeyLength),
    password: newPasswordInput,
  })
  .transform(({ recovery_key: recoveryKey, ...given }) => ({ ...given, recoveryKey }))

/** Whether there is a kit, and since when. */
export const recoveryKitStatus = z
  .object({ created_at: timestampOutput.nullable() })
  .meta({ id: 'RecoveryKitStatus', description: 'created_at is null where the account has no recovery kit.' })

/** The only answer that holds the key. */
export const newRecoveryKit = z
  .object({ recovery_key: secretOutput, created_at: timestampOutput })
  .meta({ id: 'NewRecoveryKit' })

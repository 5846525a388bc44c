import { z } from 'zod'
import { tagTextLength } from '../../../../application/identity/accounts/tag-text.ts'
import { recoveryKeyLength } from '../../../../application/identity/recovery/recovery-key.ts'
import { newPasswordInput } from '../passwords.ts'
import { textInput } from '../scalars.ts'
import { timestampOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'

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
  .object({
    recovery_key: secretOutput.describe('Shown this once. With it the password can be set anew.'),
    created_at: timestampOutput,
  })
  .meta({ id: 'NewRecoveryKit' })

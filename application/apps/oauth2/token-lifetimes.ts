/** Reference identity 3.3. A refresh token's begins anew with each refresh. */
export const accessToken_s = 604_800
export const refreshToken_s = 30 * 24 * 3600
export const authorizationCode_s = 600

/** How long tokens and codes are valid. Each refresh starts the refresh token's lifetime anew. */
export const accessToken_s = 604_800
export const refreshToken_s = 30 * 24 * 3600
export const authorizationCode_s = 600

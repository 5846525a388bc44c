/**
 * What somebody needs to know before the first request: the description of both OpenAPI documents, and the beginning of their page.
 * In the Markdown that `htmlOf` knows (cli/gateway-reference/html-of.ts).
 */
export const introduction = `
Guildhall is a server for chat communities. Over HTTP, clients and bots read and change everything: accounts, communities (guilds), channels, messages, roles, invites. Over its websocket, the Gateway, they hear of every change at once; \`/docs/gateway\` describes it. Operations for administrators have a document of their own.

## How to begin

Paths are relative to the address of the instance. \`GET /.well-known/guildhall\` needs no credential and tells the addresses of the API and the Gateway, the limits, and how people register.

For a bot, create an application with the session token of its owner (Create application). The answer has the application's id, and the token of its bot, which is shown only once. Let the bot into a guild with Consent, with \`scope: "bot"\`. Then ask who it is:

\`\`\`
curl -H 'Authorization: Bot <token>' "$API_URL/v1/users/@me"
\`\`\`

## Authentication

The header \`Authorization\` says who asks. Each operation lists the credentials that it takes.

| who asks | Authorization | where it comes from |
| --- | --- | --- |
| a person | the session token by itself | Register, Log in, or single sign-on |
| a bot | \`Bot\`, a space, the token | Create application, Reset bot token |
| an application for a person | \`Bearer\`, a space, the access token | OAuth2: Authorize, then Exchange token |
| an administrator | \`Admin\`, a space, the key, or a session token | Create Admin key; the account needs the ACLs that the operation names |

Some operations also ask a person for the password or a second factor: 403 SUDO_MODE_REQUIRED says which. The answer carries a proof for the next five minutes.

## Rate limits

Each caller may send 50 requests a second, and each operation names its own bucket. Beyond one of them the answer is 429 RATE_LIMITED, with \`retry_after\` in seconds; wait that long before you try again. Bots read in the headers \`X-RateLimit-*\` of each answer what is left.

## Errors

Every error is JSON with a \`code\`, and a \`message\` for people in the language of Accept-Language. Decide by the code: messages change. INVALID_FORM_BODY also lists in \`errors\` what is wrong with which member:

\`\`\`
{"code":"INVALID_FORM_BODY","message":"…","errors":[{"path":"name","code":"STRING_LENGTH_INVALID","message":"…"}]}
\`\`\`

OAuth2 tokens have the errors of RFC 6749 instead: \`error\` and \`error_description\`. The header \`X-Request-ID\` of an answer names the request in the log of the server.

## Values

Ids are decimal texts of 64 bits, and hold when they were made. Times are ISO 8601 in UTC. Masks of permissions are decimal texts. Ignore members that you do not know: there will be more. With the header \`Idempotency-Key\`, a POST does its work once however often it is sent.
`.trim()

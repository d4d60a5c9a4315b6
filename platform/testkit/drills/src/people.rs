//! Those who sign in: the accounts of `pult demo`.

use std::net::SocketAddr;

use rig::{Api, Installation, Result};

/// The secret of the demo's super admin, which is published.
const SECOND_FACTOR: &str = "PULTDEMO2PULTDEMO3PULTDEMO4PULTD";

/// Signs in the super admin: its second factor is sealed with the installation's secret key.
pub async fn super_admin(installation: &Installation, address: SocketAddr) -> Result<Api> {
    let code = installation.run(&format!("second-factor-code {SECOND_FACTOR}")).await?;
    Api::sign_in_with(address, installation.account("super admin")?, Some(code.trim())).await
}

/// Signs in an admin of the demo partner.
pub async fn partner_admin(installation: &Installation, address: SocketAddr) -> Result<Api> {
    Api::sign_in(address, installation.account("partner admin")?).await
}

//! Resources by whose ids others name them.

use access::prelude::*;

#[derive(Debug)]
pub struct ShadowCustomers;

impl Resource for ShadowCustomers {
    const NAME: &'static str = "shadow_customers";
    const ENTITY: &'static str = "SHADOW_CUSTOMER";
}

#[derive(Debug)]
pub struct Addresses;

impl Resource for Addresses {
    const NAME: &'static str = "shadow_customer_addresses";
    const ENTITY: &'static str = "SHADOW_CUSTOMER_ADDRESS";
}

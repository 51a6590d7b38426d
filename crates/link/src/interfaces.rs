//! The addresses of this machine that others may reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Those of interfaces that are up, without those of the machine itself and of its links; IPv4 first. Loopback if
/// there is nothing else: then there is no other host.
pub(super) fn addresses() -> Vec<IpAddr> {
    let mut found = of_interfaces();
    found.retain(|address| match address {
        IpAddr::V4(address) => !address.is_loopback() && !address.is_link_local(),
        // fe80::/10 needs the name of an interface.
        IpAddr::V6(address) => !address.is_loopback() && !address.is_unicast_link_local(),
    });
    found.sort_by_key(IpAddr::is_ipv6);
    found.dedup();
    if found.is_empty() {
        found.push(Ipv4Addr::LOCALHOST.into());
    }
    found
}

fn of_interfaces() -> Vec<IpAddr> {
    let mut first: *mut libc::ifaddrs = std::ptr::null_mut();
    // SAFETY: `first` is a valid place for the answer.
    if unsafe { libc::getifaddrs(&raw mut first) } != 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut next = first;
    // SAFETY: the list is valid until it is freed, and ends with null.
    while let Some(entry) = unsafe { next.as_ref() } {
        next = entry.ifa_next;
        if entry.ifa_flags & libc::IFF_UP.cast_unsigned() == 0 {
            continue;
        }
        // SAFETY: an address, if there is one, is valid as long as the list.
        let Some(address) = (unsafe { entry.ifa_addr.as_ref() }) else {
            continue;
        };
        match i32::from(address.sa_family) {
            libc::AF_INET => {
                // SAFETY: an address of this family is of this type; it may be unaligned.
                let address = unsafe { entry.ifa_addr.cast::<libc::sockaddr_in>().read_unaligned() };
                found.push(Ipv4Addr::from(u32::from_be(address.sin_addr.s_addr)).into());
            }
            libc::AF_INET6 => {
                // SAFETY: an address of this family is of this type, too.
                let address = unsafe { entry.ifa_addr.cast::<libc::sockaddr_in6>().read_unaligned() };
                found.push(Ipv6Addr::from(address.sin6_addr.s6_addr).into());
            }
            _ => {}
        }
    }
    // SAFETY: the list that was made above, not used any more.
    unsafe { libc::freeifaddrs(first) };
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_at_least_one() {
        let found = addresses();
        assert!(!found.is_empty());
        assert!(found.len() == 1 || found.iter().all(|address| !address.is_loopback()));
        // Every machine has this one, and only it says so of itself.
        assert!(of_interfaces().iter().any(IpAddr::is_loopback));
    }
}
